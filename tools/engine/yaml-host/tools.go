//go:build tools

// Names the program that `npm run engine -- --language yaml` builds, so that go.mod and go.sum hold all that it needs.
package tools

import _ "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml"
