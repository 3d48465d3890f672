#pragma once
#include <ZXing/ReadBarcode.h>

// Since zxing-cpp 2.2 they have this name, and since 3.0 no other.
#if __has_include(<ZXing/ReaderOptions.h>)
using ZXing::ReaderOptions;
#else
using ReaderOptions = ZXing::DecodeHints;
#endif
