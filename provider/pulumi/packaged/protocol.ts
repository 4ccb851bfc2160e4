import { createRequire } from "node:module";
import type * as Grpc from "@grpc/grpc-js";
import type * as GrpcAny from "google-protobuf/google/protobuf/any_pb";
import type * as GrpcEmpty from "google-protobuf/google/protobuf/empty_pb";
import type * as GrpcStruct from "google-protobuf/google/protobuf/struct_pb";

/*
 * Pulumi's provider protocol, without the rest of its SDK, which takes a second to load. The copies of gRPC and
 * protobuf are the SDK's own: messages of another copy are not recognized.
 */

const ofPulumi = createRequire(require.resolve("@pulumi/pulumi/package.json"));

export const grpc = ofPulumi("@grpc/grpc-js") as typeof Grpc;
export const { Any } = ofPulumi("google-protobuf/google/protobuf/any_pb") as typeof GrpcAny;
export const { Empty } = ofPulumi("google-protobuf/google/protobuf/empty_pb") as typeof GrpcEmpty;
export const { Struct } = ofPulumi("google-protobuf/google/protobuf/struct_pb") as typeof GrpcStruct;
