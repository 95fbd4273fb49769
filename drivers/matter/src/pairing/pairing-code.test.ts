import { describe, expect, test } from "vitest";
import { NoPairingCode, readPairingCode } from "./pairing-code.ts";

describe("a pairing code", () => {
  test.for([
    ["34970112332", 20202021, { short: 15 }],
    ["3497-011-2332", 20202021, { short: 15 }],
    [" 3497 011 2332 ", 20202021, { short: 15 }],
    ["MT:-24J0AFN00KA0648G00", 20202021, { long: 3840 }],
    ["mt:-24j0afn00ka0648g00", 20202021, { long: 3840 }],
  ] as const)("%s has its passcode and discriminator", ([text, passcode, discriminator]) => {
    expect(readPairingCode(text)).toEqual({ passcode, discriminator });
  });

  test.for([
    ["", /11 digits/],
    ["1234", /11 digits/],
    ["34970112333", /digit of the pairing code is wrong/],
    ["34970113232", /digit of the pairing code is wrong/],
    ["00000000000", /digit of the pairing code is wrong/],
    ["MT:-24J0AFN00KA0648", /not complete/],
    ["MT:", /not complete/],
    ["MT:%%%%%%%%%%%%%%%%%%%", /not complete/],
    ["MT:ZZZZZZZZZZZZZZZZZZZ", /wrong|later version|not complete/],
  ] as const)("%s is none, and the reason is said", ([text, why]) => {
    expect(() => readPairingCode(text)).toThrow(why);
    expect(() => readPairingCode(text)).toThrow(NoPairingCode);
  });
});
