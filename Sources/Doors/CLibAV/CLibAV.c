#include "CLibAV.h"
#include "CLoader.h"
#include "Functions.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const AVRational microsecond = {1, 1000000};

struct libav_movie {
  const libav_api *api;
  AVFormatContext *format;
  AVStream *stream;
  AVIOContext *output;
  AVCodecContext *encoder;
  AVFrame *picture;
  AVPacket *packet;
  int descriptor;
  int64_t nominal;  // microseconds from frame to frame, as the camera promises
  int64_t written, whole;
  bool has_header;
};

const libav_api *libav_load(char *reason, size_t capacity) {
  static const loader_symbol symbols[] = {
#define SYMBOL(function) {.name = #function, .offset = offsetof(libav_api, function)},
      FUNCTIONS(SYMBOL)
#undef SYMBOL
  };
  const libav_api *api = loader_open(
      "libavformat.so." TEXT(LIBAVFORMAT_VERSION_MAJOR), symbols, sizeof symbols / sizeof *symbols, sizeof *api, reason, capacity);
  // Keep FFmpeg's messages about frames off standard error.
  if (api) api->av_log_set_level(AV_LOG_QUIET);
  return api;
}

bool libav_has_encoder(const libav_api *api, const char *name) { return api->avcodec_find_encoder_by_name(name) != NULL; }

void libav_reason(const libav_api *api, int code, char *text, size_t capacity) { api->av_strerror(code, text, capacity); }

// FFmpeg's own codes are four characters, which are numbers far below any -errno.
int libav_errno(int code) { return code < 0 && code > -4096 ? -code : 0; }

// MARK: The file

#if LIBAVFORMAT_VERSION_MAJOR >= 61
static int write_bytes(void *context, const uint8_t *bytes, int count) {
#else
static int write_bytes(void *context, uint8_t *bytes, int count) {
#endif
  libav_movie *movie = context;
  int done = 0;
  while (done < count) {
    ssize_t put = write(movie->descriptor, bytes + done, (size_t)(count - done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return put < 0 ? AVERROR(errno) : AVERROR(EIO);
    done += (int)put;
    movie->written += put;
  }
  return count;
}

// Flushes the output unless `code` is an error. After a success, the file ends with a whole fragment.
static int flushed(libav_movie *movie, int code) {
  if (code < 0) return code;
  movie->api->avio_flush(movie->output);
  if (movie->output->error < 0) return movie->output->error;
  movie->whole = movie->written;
  return 0;
}

int64_t libav_whole_bytes(const libav_movie *movie) { return movie->whole; }

static int open_output(libav_movie *movie) {
  enum { buffer_size = 1 << 16 };
  uint8_t *buffer = movie->api->av_malloc(buffer_size);
  if (!buffer) return AVERROR(ENOMEM);
  movie->output = movie->api->avio_alloc_context(buffer, buffer_size, 1, movie, NULL, write_bytes, NULL);
  if (!movie->output) {
    movie->api->av_free(buffer);
    return AVERROR(ENOMEM);
  }
  // The file is never rewritten: bytes on the disk stay as they are.
  movie->output->seekable = 0;
  movie->format->pb = movie->output;
  movie->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_FLUSH_PACKETS;
  return 0;
}

// MARK: The encoder

static enum AVPixelFormat pixel_format(int layout) {
  switch (layout) {
    case libav_422: return AV_PIX_FMT_YUV422P;
    case libav_422_wide: return AV_PIX_FMT_YUV422P10LE;
    case libav_420_wide: return AV_PIX_FMT_YUV420P10LE;
    default: return AV_PIX_FMT_YUV420P;
  }
}

bool libav_takes(const libav_api *api, const char *name, int layout) {
  const AVCodec *codec = api->avcodec_find_encoder_by_name(name);
  if (!codec) return false;
  const enum AVPixelFormat *format = NULL;
#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(61, 13, 100)
  const void *formats = NULL;
  int count = 0;
  if (api->avcodec_get_supported_config(NULL, codec, AV_CODEC_CONFIG_PIX_FORMAT, 0, &formats, &count) < 0) return false;
  format = formats;
#else
  format = codec->pix_fmts;
#endif
  // An encoder that lists no formats does not report what it accepts.
  while (format && *format != AV_PIX_FMT_NONE) {
    if (*format++ == pixel_format(layout)) return true;
  }
  return false;
}

// Sets the primaries and the transfer function that belong to a matrix; JPEG has those of sRGB (ITU-T T.871 defines no others).
static void set_color(const libav_settings *settings, AVCodecParameters *jpeg, AVCodecContext *encoder) {
  bool is_wide = settings->matrix == libav_bt2020;
  if (jpeg) {
    jpeg->color_space = AVCOL_SPC_BT470BG;
    jpeg->color_primaries = AVCOL_PRI_BT709;
    jpeg->color_trc = AVCOL_TRC_IEC61966_2_1;
    jpeg->color_range = AVCOL_RANGE_JPEG;
  }
  if (encoder) {
    encoder->colorspace = is_wide ? AVCOL_SPC_BT2020_NCL : AVCOL_SPC_BT709;
    encoder->color_primaries = is_wide ? AVCOL_PRI_BT2020 : AVCOL_PRI_BT709;
    encoder->color_trc = is_wide ? AVCOL_TRC_BT2020_10 : AVCOL_TRC_BT709;
    encoder->color_range = AVCOL_RANGE_MPEG;
  }
}

// Options that an encoder does not know are left over, and freed. Whether mandatory options took effect shows in the resulting file.
static void set_options(libav_movie *movie, const libav_settings *settings, AVDictionary **options) {
  const libav_api *api = movie->api;
  char number[16];
  snprintf(number, sizeof number, "%d", settings->quality);
  const char *name = settings->encoder;
  if (!strcmp(name, "libx264") || !strcmp(name, "libx265")) {
    // No frame may wait in the encoder: a killed process must lose at most the last frame.
    api->av_dict_set(options, "preset", settings->preset, 0);
    api->av_dict_set(options, "tune", "zerolatency", 0);
    api->av_dict_set(options, "forced-idr", "1", 0);
    if (settings->bit_rate == 0) api->av_dict_set(options, "crf", number, 0);
    if (!strcmp(name, "libx265")) api->av_dict_set(options, "x265-params", "log-level=none:bframes=0:frame-threads=1", 0);
  } else if (!strcmp(name, "ffv1")) {
    api->av_dict_set(options, "level", "3", 0);
    api->av_dict_set(options, "slices", "4", 0);
    api->av_dict_set(options, "slicecrc", "1", 0);
  } else if (!strcmp(name, "prores_ks")) {
    api->av_dict_set(options, "profile", "3", 0);
    api->av_dict_set(options, "vendor", "apl0", 0);
  }
}

static int open_encoder(libav_movie *movie, const libav_settings *settings) {
  const libav_api *api = movie->api;
  const AVCodec *codec = api->avcodec_find_encoder_by_name(settings->encoder);
  if (!codec) return AVERROR_ENCODER_NOT_FOUND;
  AVCodecContext *encoder = movie->encoder = api->avcodec_alloc_context3(codec);
  if (!encoder) return AVERROR(ENOMEM);
  encoder->width = settings->width;
  encoder->height = settings->height;
  encoder->pix_fmt = pixel_format(settings->layout);
  encoder->time_base = microsecond;
  encoder->framerate = (AVRational){settings->rate_numerator, settings->rate_denominator};
  encoder->sample_aspect_ratio = (AVRational){1, 1};
  // A key frame at least once a second; for a slower camera, key frames are requested by time.
  int a_second = settings->rate_numerator / settings->rate_denominator;
  encoder->gop_size = a_second > 1 && strcmp(settings->encoder, "ffv1") ? a_second : 1;
  encoder->max_b_frames = 0;
  encoder->bit_rate = settings->bit_rate;
  encoder->thread_count = 2;
  // With frame threading, a picture would wait for the following ones.
  encoder->thread_type = FF_THREAD_SLICE;
  set_color(settings, NULL, encoder);
  if (movie->format->oformat->flags & AVFMT_GLOBALHEADER) encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary *options = NULL;
  set_options(movie, settings, &options);
  int code = api->avcodec_open2(encoder, codec, &options);
  api->av_dict_free(&options);
  return code;
}

static int make_picture(libav_movie *movie) {
  AVFrame *picture = movie->picture = movie->api->av_frame_alloc();
  if (!picture) return AVERROR(ENOMEM);
  AVCodecContext *encoder = movie->encoder;
  picture->format = encoder->pix_fmt;
  picture->width = encoder->width;
  picture->height = encoder->height;
  picture->colorspace = encoder->colorspace;
  picture->color_primaries = encoder->color_primaries;
  picture->color_trc = encoder->color_trc;
  picture->color_range = encoder->color_range;
  return movie->api->av_frame_get_buffer(picture, 0);
}

// MARK: The stream

static int set_display_matrix(libav_movie *movie, const int32_t *matrix) {
  if (!matrix) return 0;
  size_t size = 9 * sizeof *matrix;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  AVCodecParameters *parameters = movie->stream->codecpar;
  AVPacketSideData *data = movie->api->av_packet_side_data_new(
      &parameters->coded_side_data, &parameters->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX, size, 0);
  uint8_t *place = data ? data->data : NULL;
#else
  uint8_t *place = movie->api->av_stream_new_side_data(movie->stream, AV_PKT_DATA_DISPLAYMATRIX, size);
#endif
  if (!place) return AVERROR(ENOMEM);
  memcpy(place, matrix, size);
  return 0;
}

static int open_stream(libav_movie *movie, const libav_settings *settings) {
  AVStream *stream = movie->stream = movie->api->avformat_new_stream(movie->format, NULL);
  if (!stream) return AVERROR(ENOMEM);
  AVCodecParameters *parameters = stream->codecpar;
  if (movie->encoder) {
    int code = movie->api->avcodec_parameters_from_context(parameters, movie->encoder);
    if (code < 0) return code;
    // Apple's players require this tag.
    if (parameters->codec_id == AV_CODEC_ID_HEVC) parameters->codec_tag = MKTAG('h', 'v', 'c', '1');
  } else {
    parameters->codec_type = AVMEDIA_TYPE_VIDEO;
    parameters->codec_id = AV_CODEC_ID_MJPEG;
    parameters->format = AV_PIX_FMT_YUVJ420P;
    parameters->width = settings->width;
    parameters->height = settings->height;
    set_color(settings, parameters, NULL);
  }
  stream->time_base = microsecond;
  stream->avg_frame_rate = (AVRational){settings->rate_numerator, settings->rate_denominator};
  return set_display_matrix(movie, settings->display_matrix);
}

static int write_header(libav_movie *movie, const libav_settings *settings) {
  const libav_api *api = movie->api;
  AVDictionary *options = NULL;
  // Each frame is a fragment, which is written as soon as the next frame determines its duration.
  api->av_dict_set(&options, "movflags", "+frag_every_frame+empty_moov+default_base_moof", 0);
  api->av_dict_set(&options, "video_track_timescale", "1000000", 0);
  if (settings->created) api->av_dict_set(&movie->format->metadata, "creation_time", settings->created, 0);
  int code = api->avformat_write_header(movie->format, &options);
  api->av_dict_free(&options);
  movie->has_header = code >= 0;
  return flushed(movie, code);
}

int libav_begin(const libav_api *api, const libav_settings *settings, int descriptor, libav_movie **result) {
  libav_movie *movie = calloc(1, sizeof *movie);
  if (!movie) return AVERROR(ENOMEM);
  *result = movie;
  movie->api = api;
  movie->descriptor = descriptor;
  movie->nominal = (int64_t)1000000 * settings->rate_denominator / settings->rate_numerator;
  movie->packet = api->av_packet_alloc();
  int code = movie->packet ? 0 : AVERROR(ENOMEM);
  if (code >= 0) code = api->avformat_alloc_output_context2(&movie->format, NULL, settings->container, NULL);
  if (code >= 0) code = open_output(movie);
  if (code >= 0 && settings->encoder) code = open_encoder(movie, settings);
  if (code >= 0 && settings->encoder) code = make_picture(movie);
  if (code >= 0) code = open_stream(movie, settings);
  if (code >= 0) code = write_header(movie, settings);
  if (code < 0) {
    libav_free(movie);
    *result = NULL;
  }
  return code < 0 ? code : 0;
}

// MARK: Frames

static int put(libav_movie *movie) {
  AVPacket *packet = movie->packet;
  packet->stream_index = movie->stream->index;
  if (packet->duration <= 0) packet->duration = movie->nominal;
  movie->api->av_packet_rescale_ts(packet, microsecond, movie->stream->time_base);
  int code = movie->api->av_write_frame(movie->format, packet);
  movie->api->av_packet_unref(packet);
  return flushed(movie, code);
}

int libav_add_packet(libav_movie *movie, const uint8_t *bytes, int count, int64_t microseconds) {
  AVPacket *packet = movie->packet;
  // The bytes are borrowed: av_write_frame copies what it keeps.
  packet->data = (uint8_t *)bytes;
  packet->size = count;
  packet->pts = packet->dts = microseconds;
  packet->flags = AV_PKT_FLAG_KEY;
  return put(movie);
}

static int put_encoded(libav_movie *movie) {
  while (true) {
    int code = movie->api->avcodec_receive_packet(movie->encoder, movie->packet);
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
    if (code < 0 || (code = put(movie)) < 0) return code;
  }
}

static void copy_plane(AVFrame *picture, int index, const uint8_t *from, int stride, int width, int height, int bytes, bool widens) {
  for (int y = 0; y < height; y++) {
    uint8_t *row = picture->data[index] + (ptrdiff_t)y * picture->linesize[index];
    const uint8_t *source = from + (ptrdiff_t)y * stride;
    if (!widens) {
      memcpy(row, source, (size_t)width * bytes);
      continue;
    }
    uint16_t *words = (uint16_t *)(void *)row;
    for (int x = 0; x < width; x++) words[x] = (uint16_t)(source[x] << 2);
  }
}

int libav_add_picture(
    libav_movie *movie, const uint8_t *const planes[3], const int strides[3], bool is_wide, int64_t microseconds, bool is_key) {
  AVFrame *picture = movie->picture;
  int code = movie->api->av_frame_make_writable(picture);
  if (code < 0) return code;
  bool takes_wide = picture->format == AV_PIX_FMT_YUV422P10LE || picture->format == AV_PIX_FMT_YUV420P10LE;
  if (is_wide && !takes_wide) return AVERROR(EINVAL);
  bool is_420 = picture->format == AV_PIX_FMT_YUV420P || picture->format == AV_PIX_FMT_YUV420P10LE;
  int chroma_height = is_420 ? (picture->height + 1) / 2 : picture->height;
  for (int i = 0; i < 3; i++) {
    int width = i == 0 ? picture->width : (picture->width + 1) / 2;
    int height = i == 0 ? picture->height : chroma_height;
    copy_plane(picture, i, planes[i], strides[i], width, height, takes_wide ? 2 : 1, takes_wide && !is_wide);
  }
  picture->pts = microseconds;
  picture->pict_type = is_key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
  code = movie->api->avcodec_send_frame(movie->encoder, picture);
  return code < 0 ? code : put_encoded(movie);
}

int libav_end(libav_movie *movie) {
  if (movie->encoder) {
    int code = movie->api->avcodec_send_frame(movie->encoder, NULL);
    if (code >= 0) code = put_encoded(movie);
    if (code < 0) return code;
  }
  // The last frame has waited for a next one until now.
  int code = movie->api->av_write_trailer(movie->format);
  movie->has_header = false;
  return flushed(movie, code);
}

void libav_free(libav_movie *movie) {
  const libav_api *api = movie->api;
  // Only the trailer frees a muxer with a header completely, but the trailer must not reach the file any more.
  if (movie->has_header) {
    movie->descriptor = -1;
    api->av_write_trailer(movie->format);
  }
  if (movie->encoder) api->avcodec_free_context(&movie->encoder);
  if (movie->picture) api->av_frame_free(&movie->picture);
  if (movie->packet) api->av_packet_free(&movie->packet);
  if (movie->format) api->avformat_free_context(movie->format);
  if (movie->output) {
    api->av_free(movie->output->buffer);
    api->avio_context_free(&movie->output);
  }
  free(movie);
}
