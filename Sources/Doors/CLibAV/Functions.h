// Every FFmpeg function that is called, with its own type. `dlsym` finds those of libavcodec and libavutil through libavformat, which depends on
// them.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>

#if LIBAVFORMAT_VERSION_MAJOR >= 61
#define SIDE_DATA(X) X(av_packet_side_data_new)
#else
#define SIDE_DATA(X) X(av_stream_new_side_data)
#endif

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
#define SUPPORTED(X) X(avcodec_get_supported_config)
#else
#define SUPPORTED(X)
#endif

#define FUNCTIONS(X) \
  X(avformat_alloc_output_context2) X(avformat_new_stream) \
  X(avformat_write_header) X(av_write_frame) X(av_write_trailer) X(avformat_free_context) \
  X(avio_alloc_context) X(avio_context_free) X(avio_flush) \
  X(avcodec_find_encoder_by_name) X(avcodec_alloc_context3) X(avcodec_open2) X(avcodec_free_context) \
  X(avcodec_send_frame) X(avcodec_receive_packet) X(avcodec_parameters_from_context) \
  X(av_packet_alloc) X(av_packet_free) X(av_packet_unref) X(av_packet_rescale_ts) \
  X(av_frame_alloc) X(av_frame_free) X(av_frame_get_buffer) X(av_frame_make_writable) \
  X(av_malloc) X(av_free) X(av_dict_set) X(av_dict_free) X(av_strerror) X(av_log_set_level) \
  SIDE_DATA(X) SUPPORTED(X)

struct libav_api {
#define FIELD(function) __typeof__(&function) function;
  FUNCTIONS(FIELD)
#undef FIELD
};
