// The faults of cameras of the vivid driver, by its controls, its timings and its binding.
#pragma once
#include "device.h"

/// Executes the command words[0…] on a vivid camera; ends the program with a sentence on failure.
void command_vivid(const struct device *device, int count, char **words);
