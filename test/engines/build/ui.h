// An empty web interface of llama-server.
#pragma once
#include <array>
#include <string>
struct llama_ui_asset {
    std::string name;
    const unsigned char * data;
    std::size_t size;
    std::string etag;
    std::string type;
};
static inline const llama_ui_asset * llama_ui_find_asset(const std::string &) { return nullptr; }
static inline bool llama_ui_use_gzip() { return false; }
static inline const std::array<llama_ui_asset, 0> & llama_ui_get_assets() { static const std::array<llama_ui_asset, 0> none{}; return none; }
