/** The agent as hubs get it: built once, and then run as a program and installed as a package. One file, because to build takes a while. */
import { afterAll, beforeAll, describe } from "vitest";
import { describeAtLength } from "../../test/parts/at-length.ts";
import { type Built, buildAgent } from "./built.fixture.ts";
import { debianPackageSuite } from "./debian-package.suite.ts";
import { executableSuite } from "./executable.suite.ts";
import { matterBridgeSuite } from "./matter-bridge.suite.ts";

let built: Built;
beforeAll(async () => {
  built = await buildAgent();
});
afterAll(() => built?.[Symbol.dispose]());

describe("the agent as one executable", () => executableSuite(() => built.executable));
describe("the agent as a Debian package", () => debianPackageSuite(() => built));
// Another package in the same format: what every run has of the bridge is in `test/journeys/matter-bridge.test.ts`.
describeAtLength("the Matter bridge as a Debian package", () => matterBridgeSuite(() => built.debianPackage));
