// The entry point of libFuzzer as a library (LLVM, "libFuzzer – a library for coverage-guided fuzz testing", "Using libFuzzer as a
// library").
#pragma once
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*test)(const uint8_t *bytes, size_t size));
