import { describe, expect, test } from "vitest";
import { NoPairingCode } from "../matter-network.ts";
import { readPairingCode } from "./matter-js.ts";

describe("a pairing code", () => {
  test.for([
    ["34970112332", 20202021, { short: 15 }],
    ["3497-011-2332", 20202021, { short: 15 }],
    [" 3497 011 2332 ", 20202021, { short: 15 }],
    ["MT:-24J0AFN00KA0648G00", 20202021, { long: 3840 }],
    ["mt:-24j0afn00ka0648g00", 20202021, { long: 3840 }],
    // With the vendor and the product of the device.
    ["749701123365521327694", 20202021, { short: 15 }],
    // With one byte more, which makes whole groups of five characters, with two and with eight; and a text of two devices.
    ["MT:-24J0AFN00KA064IJ3P0", 20202021, { long: 3840 }],
    ["MT:-24J0AFN00KA064IJ3P0O0", 20202021, { long: 3840 }],
    ["MT:-24J0AFN00KA064IJ3P0GAPS04VJG6O0", 20202021, { long: 3840 }],
    ["MT:-24J0AFN00KA0648G00*-24J0AFN00KA0648G00", 20202021, { long: 3840 }],
  ] as const)("%s has its passcode and discriminator", ([text, passcode, discriminator]) => {
    expect(readPairingCode(text)).toEqual({ passcode, discriminator });
  });

  test.for([
    ["", /11 digits/],
    ["1234", /11 digits/],
    ["34970112333", /digit of the pairing code is wrong/],
    ["34970113232", /digit of the pairing code is wrong/],
    ["00000000000", /digit of the pairing code is wrong/],
    ["34970112332x", /11 digits/],
    // A first digit of later versions, and that of a code of 21 digits.
    ["84970112331", /later version/],
    ["74970112334", /digit of the pairing code is wrong/],
    // Passcodes that no device may have.
    ["35191106788", /not the code of a device/],
    ["MT:-24J0AFN00KMSP0Z800", /not the code of a device/],
    ["MT:.24J0AFN00KA0648G00", /later version/],
    ["MT:-24J0AFN00KA0648", /not complete/],
    ["MT:", /not complete/],
    ["MT:%%%%%%%%%%%%%%%%%%%", /not complete/],
    ["MT:ZZZZZZZZZZZZZZZZZZZ", /wrong|later version|not complete/],
  ] as const)("%s is none, and the reason is reported", ([text, why]) => {
    expect(() => readPairingCode(text)).toThrow(why);
    expect(() => readPairingCode(text)).toThrow(NoPairingCode);
  });
});
