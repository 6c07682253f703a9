# Builds llama-server from the sources of llama.cpp and the prebuilt libraries of the npm package @node-llama-cpp/linux-x64 of the
# same release, so that only the server itself is compiled. Support of images (mtmd) is left out.
#
#	make -f server.mk SRC=llama.cpp LIB=bins/linux-x64 OUT=build
HERE := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
CXXFLAGS = -std=c++17 -O1 -DNDEBUG -DLLAMA_SHARED -DGGML_SHARED -DGGML_BACKEND_SHARED -DGGML_BACKEND_DL -DLLAMA_SUBPROCESS -D_GNU_SOURCE -w \
	-I$(SRC) -I$(SRC)/include -I$(SRC)/ggml/include -I$(SRC)/common -I$(SRC)/vendor -I$(SRC)/tools/mtmd -I$(SRC)/tools/server -I$(HERE)
NAMES = server-chat server-task server-queue server-common server-context server-stream server-tools server-mcp server-schema server \
	server-http server-models main
OBJS = $(NAMES:%=$(OUT)/%.o) $(OUT)/httplib.o $(OUT)/nomtmd.o
$(OUT)/llama-server: $(OBJS) $(OUT)/stubs.o
	g++ -o $@ $(OBJS) $(OUT)/stubs.o -L$(LIB) -l:libllama-common.so -l:libllama.v0.5.0.so -l:libggml.v0.5.0.so -l:libggml-base.so -lpthread -Wl,-rpath,$(LIB)
	ln -sf $(LIB)/libggml-cpu-*.so $(OUT)/
# A function that is never called without images stops the program.
$(OUT)/stubs.o: $(OBJS)
	nm -u $(OBJS) | awk '/ U .*mtmd/ {print $$2}' | sort -u >$(OUT)/undefined
	nm $(OBJS) | awk '/ [TWVu] / {print $$3}' | sort -u >$(OUT)/defined
	comm -23 $(OUT)/undefined $(OUT)/defined | awk 'BEGIN {print ".section .note.GNU-stack,\"\",@progbits\n.text"} {print ".globl " $$1 "\n" $$1 ":\n\tud2"}' >$(OUT)/stubs.s
	gcc -c -o $@ $(OUT)/stubs.s
$(OUT)/%.o: $(SRC)/tools/server/%.cpp
	g++ $(CXXFLAGS) -c -o $@ $<
$(OUT)/httplib.o: $(SRC)/vendor/cpp-httplib/httplib.cpp
	g++ $(CXXFLAGS) -c -o $@ $<
$(OUT)/nomtmd.o: $(HERE)nomtmd.cpp
	g++ $(CXXFLAGS) -c -o $@ $<
