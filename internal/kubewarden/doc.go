// Package kubewarden makes harden a policy for Kubewarden's policy server: it
// answers the two questions that the server asks of a WASI program on stdin.
//
//	err := kubewarden.Validate(ctx, os.Stdin, os.Stdout)
//
// [Validate] reads {"request": …, "settings": …}, takes base64 off the fields
// of the request that the settings point at, inspects what is inside, and
// writes {"accepted":true} or a refusal with a message. [ValidateSettings]
// reads settings alone and says whether they make sense.
//
// Both texts come from strangers. Each is read up to a limit of its own and
// measured with jsoncheck before anything is looked up in it; from then on it is
// walked in place, and no tree of it is ever built. What cannot be read, found
// or judged is refused.
package kubewarden
