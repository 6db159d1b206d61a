"""TFLite's own tests of its kernels, with the delegate applied: what runs, what is delegated, what fails and why."""
