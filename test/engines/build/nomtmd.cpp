// The functions of mtmd that llama-server calls without a model of images. It never reaches the others.
#include "mtmd.h"
#include "mtmd-helper.h"
void mtmd_helper_log_set(ggml_log_callback, void *) {}
void mtmd_free(mtmd_context *) {}
void mtmd_input_chunks_free(mtmd_input_chunks *) {}
void mtmd_input_chunk_free(mtmd_input_chunk *) {}
void mtmd_bitmap_free(mtmd_bitmap *) {}
void mtmd_batch_free(mtmd_batch *) {}
void mtmd_helper_video_free(mtmd_helper_video *) {}
bool mtmd_helper_support_video(const mtmd_context *) { return false; }
bool mtmd_support_vision(const mtmd_context *) { return false; }
bool mtmd_support_audio(const mtmd_context *) { return false; }
struct mtmd_context_params mtmd_context_params_default(void) { return mtmd_context_params(); }
struct mtmd_helper_init_opt mtmd_helper_init_opt_default(void) { return mtmd_helper_init_opt(); }
