package sandbox

import (
	"context"
	"time"

	"github.com/harden-input/harden/inspect"
)

// A watch ends a context with inspect.ErrTime. A nil watch never does.
type watch struct {
	timer   *time.Timer
	allowed time.Duration
	pauses  bool // time stands still while the guest waits for bytes
}

// clock returns a context that ends when an instance that judges in has had
// its time, and sets c.watch to what ends it.
func (ins *Inspector) clock(ctx context.Context, in inspect.Input, c *call) (_ context.Context, stop func()) {
	allowed := time.Duration(min(ins.cfg.Limits.Input.MaxTime, 1<<56))
	if allowed == 0 {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{allowed: allowed + grace, pauses: ins.same.RecordsIn(in) != inspect.NoRecords}
	if w.pauses {
		w.allowed = recordsAtOnce*allowed + grace
	}
	w.timer = time.AfterFunc(w.allowed, func() { cancel(inspect.ErrTime) })
	c.watch = w
	return ctx, func() {
		w.timer.Stop()
		cancel(nil)
	}
}

// wait says that the guest waits for bytes, and work that it has them.
func (w *watch) wait() {
	if w != nil && w.pauses {
		w.timer.Stop()
	}
}

func (w *watch) work() {
	if w != nil && w.pauses {
		w.timer.Reset(w.allowed)
	}
}
