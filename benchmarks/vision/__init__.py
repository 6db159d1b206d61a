"""MediaPipe's vision tasks: this project's and the unmodified package's."""
