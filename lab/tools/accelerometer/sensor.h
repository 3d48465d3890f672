// The HID side of the accelerometer: its report descriptor and the layout of its two reports.
#pragma once
#include <stdint.h>

enum { report_id = 1 };

/// The feature report, which the kernel sets. The interval is in milliseconds.
struct __attribute__((packed)) feature_report {
  uint8_t id, reporting, power;
  uint32_t interval;
  uint16_t sensitivity;
};

/// The input report: the acceleration in thousandths of g.
struct __attribute__((packed)) input_report {
  uint8_t id;
  int32_t x, y, z;
};

extern const uint8_t report_descriptor[];
extern const uint16_t report_descriptor_length;
