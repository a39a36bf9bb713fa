// Reads one token a line; writes the subject of each that is accepted, and an empty line for each other one.
package main

import (
	"bufio"
	"fmt"
	"os"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		claims, err := Verify(lines.Text())
		if err != nil {
			claims.Subject = ""
		}
		fmt.Println(claims.Subject)
	}
}
