package junit_test

import (
	"fmt"
	"os"

	"github.com/harden-input/harden/internal/junit"
)

func ExampleWrite() {
	suite := junit.Suite{Name: "harden"}
	suite.Add(junit.Case{Name: "a.gz"})
	suite.Add(junit.Case{Name: "b.gz", Failure: &junit.Problem{Type: "gzip/truncated", Message: "input ends inside a member"}})
	if err := junit.Write(os.Stdout, suite); err != nil {
		fmt.Println(err)
	}
	// Output:
	// <?xml version="1.0" encoding="UTF-8"?>
	// <testsuites name="harden" tests="2" failures="1" errors="0">
	//  <testsuite name="harden" tests="2" failures="1" errors="0" skipped="0">
	//   <testcase name="a.gz" classname="harden"></testcase>
	//   <testcase name="b.gz" classname="harden">
	//    <failure type="gzip/truncated" message="input ends inside a member"></failure>
	//   </testcase>
	//  </testsuite>
	// </testsuites>
}
