// A stub of miniaudio.h, which the Go module of Ollama lacks: Go leaves folders named vendor out of modules. It decodes no audio,
// which models of text do not need. It declares only the names that mtmd-helper.cpp of llama.cpp uses.
#pragma once
#include <cstddef>
#include <cstdint>
typedef int ma_result;
typedef uint32_t ma_uint32;
typedef uint64_t ma_uint64;
typedef int ma_format;
struct ma_decoder_config { int none; };
struct ma_decoder { int none; };
static const ma_result MA_SUCCESS = 0;
static const ma_format ma_format_f32 = 5;
static inline ma_decoder_config ma_decoder_config_init(ma_format, ma_uint32, ma_uint32) { return ma_decoder_config(); }
static inline ma_result ma_decoder_init_memory(const void *, size_t, const ma_decoder_config *, ma_decoder *) { return -1; }
static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *, ma_uint64 *) { return -1; }
static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *, void *, ma_uint64, ma_uint64 *) { return -1; }
static inline ma_result ma_decoder_uninit(ma_decoder *) { return 0; }
