// Faults of cameras served by the vivid driver, by its controls, its timings and its binding.
#pragma once
#include "device.h"

/// Does the command words[0…] on a vivid camera; ends the program with a sentence when it cannot.
void command_vivid(const struct device *device, int count, char **words);
