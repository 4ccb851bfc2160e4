//go:build tools

// Names the program that `npm run engine -- --language python` builds, so that go.mod and go.sum hold all that it needs.
package tools

import _ "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python"
