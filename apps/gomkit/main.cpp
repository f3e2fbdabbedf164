#include <exception>
#include <new>

#include "app.hpp"
#include "output.hpp"
#include "signals.hpp"

int main(int argc, char** argv) {
    prepare_streams();
    watch_signals();
    int code = 7;
    try {
        code = run(std::vector<std::string>(argv, argv + argc));
    } catch (const std::bad_alloc&) {
        print_error_line("gomkit: error OutOfMemory: the memory does not suffice");
    } catch (const std::exception& e) {
        print_error_line(std::string("gomkit: error Internal: ") + e.what());
    }
    return finish_output(code);
}
