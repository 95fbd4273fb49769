/**
 * `@porchlight/firmware-sim/testing`: a simulated board for unit tests of any program that communicates with one. docs/firmware-lab.md
 * describes it.
 */
export { type Clock, settle, systemClock, VirtualClock } from "@porchlight/shared/kernel";
export type { Value } from "@porchlight/shared/model";
export { type ByteLink, encodeFrame, encodeMessage, type Message } from "@porchlight/shared/wire";
export type { DecodedFrame } from "../lab/capture/decode.ts";
export type { TestDevice, TestWrite } from "./test-board.ts";
export { TestBoard, type TestBoardOptions } from "./test-board.ts";
