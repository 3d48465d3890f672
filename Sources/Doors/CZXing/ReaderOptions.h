#pragma once
#include <ZXing/ReadBarcode.h>

// The options of a reader have this name since zxing-cpp 2.2, and only this name since 3.0.
#if __has_include(<ZXing/ReaderOptions.h>)
using ZXing::ReaderOptions;
#else
using ReaderOptions = ZXing::DecodeHints;
#endif
