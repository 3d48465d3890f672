// The faults of cameras of the vivid driver, by its controls, its timings and its binding.
#pragma once
#include "device.h"

/// Carries out the command words[0…] on a vivid camera. Ends the program with a sentence if that fails.
void command_vivid(const struct device *device, int count, char **words);
