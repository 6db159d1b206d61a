// flatc with the C++ generator only. Upstream's program includes the generators of fifteen languages; this
// one compiles in seconds and with Emscripten, so the build needs no second compiler.
//
//   flatc_cpp SCHEMA.fbs OUTPUT_DIRECTORY/     as `flatc --cpp --gen-object-api --gen-mutable -o OUTPUT_DIRECTORY`
#include <cstdio>
#include <string>

#include "flatbuffers/code_generator.h"
#include "flatbuffers/file_manager.h"
#include "flatbuffers/idl.h"
#include "flatbuffers/util.h"
#include "idl_gen_cpp.h"

// The C++ generator needs these functions, which upstream's program defines.
namespace flatbuffers {

void LogCompilerError(const std::string& error) { std::fprintf(stderr, "flatc_cpp: %s\n", error.c_str()); }

bool GenerateCppGRPC(const Parser&, const std::string&, const std::string&) { return false; }

}  // namespace flatbuffers

namespace {

flatbuffers::IDLOptions Options(flatbuffers::FileSaver* file_saver) {
  flatbuffers::IDLOptions options;
  options.file_saver = file_saver;
  options.generate_object_based_api = true;
  options.mutable_buffer = true;
  return options;
}

std::string NameOf(const std::string& schema_path) {
  return flatbuffers::StripPath(flatbuffers::StripExtension(schema_path));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: flatc_cpp SCHEMA.fbs OUTPUT_DIRECTORY/\n");
    return 2;
  }
  std::string schema;
  if (!flatbuffers::LoadFile(argv[1], /*binary=*/false, &schema)) {
    std::fprintf(stderr, "flatc_cpp: cannot read %s\n", argv[1]);
    return 1;
  }
  flatbuffers::RealFileSaver file_saver;
  flatbuffers::Parser parser(Options(&file_saver));
  if (!parser.Parse(schema.c_str(), nullptr, argv[1])) {
    std::fprintf(stderr, "flatc_cpp: %s\n", parser.error_.c_str());
    return 1;
  }
  const auto generator = flatbuffers::NewCppCodeGenerator();
  if (generator->GenerateCode(parser, argv[2], NameOf(argv[1])) != flatbuffers::CodeGenerator::Status::OK) {
    std::fprintf(stderr, "flatc_cpp: no C++ could be generated from %s\n", argv[1]);
    return 1;
  }
  return 0;
}
