//go:build tools

// Names the program that `npm run engine` builds, so that go.mod and go.sum hold all that it needs.
package tools

import _ "github.com/pulumi/pulumi/sdk/nodejs/cmd/pulumi-language-nodejs/v3"
