// V4L2 controls by name and DV timings by size and rate.
#pragma once
#include <stdint.h>

/// Opens a video node. Ends the program with a sentence if that fails.
int open_node(const char *node);

/// Sets the control of that name, or presses it if it is a button.
void set_control(int node, const char *name, int32_t value);

/// Lets vivid's capture node give the frames of its output node: by "Loop Video", or in newer kernels (7.2, not 6.1) by connecting its HDMI input.
void close_loop(int node);

/// The frame rate of the capture node, frames per second.
double frame_rate(int node);

/// Sets progressive DV timings such as 1280x720p60.
void set_timings(int node, const char *timings);

/// Sets the capture frame size, such as 4000x3000, and keeps the pixel format.
void set_size(int node, const char *size);
