/** The agent as hubs get it: built once, and then run as a program and installed as a package. One file, because to build takes a while. */
import { afterAll, beforeAll, describe } from "vitest";
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
describe("the Matter bridge as a Debian package", () => matterBridgeSuite(() => built.debianPackage));
