// Two numbers of a private graph from Go, by cgo: the C API as it is. go build needs CGO_CFLAGS and CGO_LDFLAGS, or
// "#cgo pkg-config: privgraph" in place of the comment below.
package main

// #include <privgraph.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"
)

func must(status C.int32_t) {
	if status != C.PVG_OK { // the message belongs to the thread that failed
		fmt.Println(C.GoString(C.pvg_status_name(status)), C.GoString(C.pvg_error_message()))
		os.Exit(1)
	}
}

func main() {
	runtime.LockOSThread() // so that a message is that of the call before
	var graph *C.pvg_graph
	must(C.pvg_graph_new_cycle(&graph, 1000))
	defer C.pvg_graph_free(graph)
	text := C.CString("scalars list=edges,components epsilon=1")
	name := C.CString("people")
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(name))
	// what C reads by pointer lies in C's memory
	input := (*C.pvg_input)(C.calloc(1, C.sizeof_pvg_input))
	defer C.free(unsafe.Pointer(input))
	input.size, input.graph, input.object = C.sizeof_pvg_input, graph, name
	config := C.pvg_ledger_config{size: C.sizeof_pvg_ledger_config, notion: C.PVG_NOTION_EDGE, epsilon: 1}
	var ledger *C.pvg_ledger
	must(C.pvg_ledger_new(&ledger, &config))
	defer C.pvg_ledger_free(ledger)
	var release, again *C.pvg_release
	must(C.pvg_release_draw_text(&release, text, input, ledger, nil))
	defer C.pvg_release_free(release)
	var values *C.double
	low, high := make([]C.double, 2), make([]C.double, 2)
	must(C.pvg_release_view(&values, release))
	must(C.pvg_release_interval(&low[0], &high[0], release, nil, 0.95))
	for i, value := range unsafe.Slice(values, 2) {
		fmt.Printf("%s %.0f, 95 %%: %.0f to %.0f\n", []string{"edges", "components"}[i], value, low[i], high[i])
	}
	if C.pvg_release_draw_text(&again, text, input, ledger, nil) != C.PVG_E_BUDGET {
		os.Exit(1)
	}
	fmt.Println("again:", C.GoString(C.pvg_error_message()))
}
