// protoc with the C++ generator, the only one that the build needs.
#include "absl/log/initialize.h"
#include "google/protobuf/compiler/command_line_interface.h"
#include "google/protobuf/compiler/cpp/generator.h"

int main(int argc, char** argv) {
  absl::InitializeLog();
  google::protobuf::compiler::cpp::CppGenerator generator;
  google::protobuf::compiler::CommandLineInterface command_line;
  command_line.RegisterGenerator("--cpp_out", "--cpp_opt", &generator, "Generate C++ header and source.");
  return command_line.Run(argc, argv);
}
