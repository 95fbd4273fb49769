/** The first steps: done when the service has seen them, and not before. */
import { describe, expect, it } from "vitest";
import { simulatedHub } from "../../kit/text/shell-commands.ts";
import { doneOf, firstCall, lastUsed } from "./first-look.ts";

const NOTHING = { tokens: [], hubs: [], webhooks: [] };
const UNUSED = { id: "tok_1" };
const USED = { id: "tok_2", lastUsedAt: "2026-11-21 10:00:00Z" };

describe("the first steps", () => {
  it("are all to do when nothing is there", () => {
    expect(doneOf(NOTHING)).toEqual({ token: false, call: false, hub: false, webhook: false });
  });

  it("have an unused token, and then a call", () => {
    expect(doneOf({ ...NOTHING, tokens: [UNUSED] })).toMatchObject({ token: true, call: false });
    expect(doneOf({ ...NOTHING, tokens: [UNUSED, USED] })).toMatchObject({ token: true, call: true });
  });

  it("have no hub while one was only made, and have one for good once it was seen", () => {
    const hub = (state: "online" | "offline" | "unknown", lastSeenAt?: string) =>
      doneOf({ ...NOTHING, hubs: [{ connection: { state, ...(lastSeenAt && { lastSeenAt }) } }] }).hub;
    expect(hub("offline")).toBe(false);
    expect(hub("unknown")).toBe(false);
    expect(hub("online")).toBe(true);
    expect(hub("offline", "2026-11-21 10:00:00Z")).toBe(true);
  });

  it("know the call by the token that was used last", () => {
    const later = { id: "tok_3", lastUsedAt: "2026-11-21 10:00:01Z" };
    expect(lastUsed([later, UNUSED, USED])).toBe("tok_3");
    expect(lastUsed([UNUSED])).toBeUndefined();
  });

  it("have lines that name this very service", () => {
    expect(firstCall("https://home.example", "plt_usr_x", "env_1")).toBe(
      "curl -s -H 'authorization: Bearer plt_usr_x' \\\n  'https://home.example/api/devices?environmentId=env_1'",
    );
    expect(simulatedHub("https://home.example").match(/--cloud https:\/\/home\.example /g)).toHaveLength(2);
  });
});
