import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Home, TestCloud } from "../../../app.fixture.ts";
import { emailsTo, emailTo } from "../../../mail/emails.fixture.ts";

let cloud: TestCloud;
let home: Home;
beforeAll(async () => {
  cloud = await TestCloud.start({ publicUrl: "https://home.example" });
  home = await cloud.home();
});
afterAll(() => cloud[Symbol.asyncDispose]());

const post = (path: string, body: unknown) => cloud.call("POST", `/api/accounts${path}`, { body });
const put = (of: Home, change: object) =>
  cloud.call("PUT", "/api/account", { token: of.token, body: { currentPassword: of.password, ...change } });
const logIn = async (of: Home, password = of.password) =>
  (await post("/login", { email: of.email, password })).body.token as string;
const shown = (of: Home) => cloud.good("GET", "/api/account", { token: of.token });

/** An account whose address is verified. */
async function verifiedHome(): Promise<Home> {
  const made = await cloud.home();
  const { code } = await emailTo(cloud.folder, made.email);
  expect((await post("/verify", { code })).status).toBe(200);
  return made;
}

describe("a sign-up", () => {
  it("sends a code and a link to the address, and the code verifies it, once", async () => {
    const { email, token } = await cloud.home();
    const { code, text } = await emailTo(cloud.folder, email);
    expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
    expect(text.split("\n")).toContain(`https://home.example/verify?code=${code}`);
    expect((await cloud.good("GET", "/api/account", { token })).emailVerified).toBe(false);
    expect(await post("/verify", { code: ` ${code?.toLowerCase().replaceAll("-", " ")} ` })).toMatchObject({
      status: 200,
      text: "",
    });
    expect((await cloud.good("GET", "/api/account", { token })).emailVerified).toBe(true);
    expect((await post("/verify", { code })).body).toMatchObject({ status: 400, title: "Reset Code Invalid" });
  });

  it.each([
    [{}, "Body Parameters Missing"],
    [{ code: 5 }, "Reset Code Invalid"],
    [{ code: "x" }, "Reset Code Invalid"],
  ])("is not verified with %j: %s", async (body, title) => {
    expect((await post("/verify", body)).body).toMatchObject({ status: 400, title });
  });

  it("is not verified with a code that is a week old", async () => {
    const { email } = await cloud.home();
    const { code } = await emailTo(cloud.folder, email);
    cloud.clock.jumpWall(7 * 86_400_000);
    expect((await post("/verify", { code })).body.title).toBe("Reset Code Invalid");
  });

  it("takes two spellings of one mailbox as one, and keeps the one that was given", async () => {
    const signUp = (email: string) => post("", { email, password: "correct horse" });
    expect((await signUp("  Jo.Böhm@Bücher.example ")).body.email).toBe("Jo.Böhm@Bücher.example");
    for (const same of ["jo.böhm@bücher.example", "JO.BO\u0308HM@xn--bcher-kva.example"])
      expect((await signUp(same)).body.title).toBe("Email Exists");
  });

  it.each([
    ["a@b@example.com"],
    ["a\u200Bb@example.com"],
    [`${"a".repeat(65)}@example.com`],
    [`a@${"b".repeat(260)}`],
    ["a@-b.example"],
    ["a@b..example"],
    ["a@b.example\r\nBcc: c@d.example"],
  ])("refuses the address %j", async (email) => {
    expect((await post("", { email, password: "correct horse" })).body).toMatchObject({ title: "Email Invalid" });
  });
});

describe("a forgotten password", () => {
  it("is set anew with the code that was sent, which ends all log-ins and is good once", async () => {
    const of = await verifiedHome();
    expect(await post("/password-reset", { email: of.email.toUpperCase() })).toMatchObject({ status: 202, text: "" });
    const { code, text, subject } = await emailTo(cloud.folder, of.email, 2);
    expect(subject).toBe("Set a new password");
    expect(text.split("\n")).toContain(`https://home.example/reset?code=${code}`);

    for (const password of ["short", "qwertyuiop"])
      expect((await post("/password-reset/confirm", { code, password })).body.title).toBe("Password Too Weak");
    const confirm = () => post("/password-reset/confirm", { code, password: "another good one" });
    expect(await confirm()).toMatchObject({ status: 200, body: { addressVerified: false, leftCount: 0 } });
    expect((await confirm()).body.title).toBe("Reset Code Invalid");
    expect((await cloud.call("GET", "/api/account", { token: of.token })).body.title).toBe("Token Invalid");
    expect((await post("/login", { email: of.email, password: of.password })).body.title).toBe("Login Failed");
    expect(await logIn(of, "another good one")).toMatch(/^plt_acc_/);
    expect((await emailTo(cloud.folder, of.email, 3)).subject).toBe("Your password was changed");
  });

  it("is answered alike, after the same writes, for an address of no account", async () => {
    const of = await verifiedHome();
    const rows = async () => {
      const codes = await cloud.rows((build) => build.selectFrom("account_codes").select("hash"));
      return codes.length;
    };
    const strip = ({ status, headers, text }: Awaited<ReturnType<typeof post>>) => {
      const { "x-request-id": _id, date: _date, ...rest } = headers;
      return { status, rest, text };
    };
    const before = await rows();
    const known = strip(await post("/password-reset", { email: of.email }));
    const between = await rows();
    const unknown = strip(await post("/password-reset", { email: "nobody-at-all@example.com" }));
    expect(unknown).toEqual(known);
    expect([between - before, (await rows()) - between]).toEqual([1, 1]);
    await emailTo(cloud.folder, of.email, 2);
    expect(emailsTo(cloud.folder, "nobody-at-all@example.com")).toEqual([]);
  });

  it("is not set with a code that is an hour old, and not with one to verify an address", async () => {
    const of = await cloud.home();
    const { code: verifying } = await emailTo(cloud.folder, of.email);
    await post("/password-reset", { email: of.email });
    const { code } = await emailTo(cloud.folder, of.email, 2);
    cloud.clock.jumpWall(3_600_000);
    for (const each of [code, verifying])
      expect((await post("/password-reset/confirm", { code: each, password: "another good one" })).body.title).toBe(
        "Reset Code Invalid",
      );
  });

  it("set by mail shows that mail arrives", async () => {
    const of = await cloud.home();
    await post("/password-reset", { email: of.email });
    const { code } = await emailTo(cloud.folder, of.email, 2);
    await post("/password-reset/confirm", { code, password: "another good one" });
    const token = await logIn(of, "another good one");
    expect((await cloud.good("GET", "/api/account", { token })).emailVerified).toBe(true);
  });
});

describe("an account", () => {
  it("changes its name, and takes back what was read", async () => {
    const before = await shown(home);
    expect(await put(home, { ...before, name: "Jo" })).toMatchObject({ status: 200, text: "" });
    expect((await shown(home)).name).toBe("Jo");
    expect((await put(home, { name: null })).status).toBe(200);
    expect((await shown(home)).name).toBeUndefined();
    expect((await put(home, { id: "acc_other" })).body.title).toBe("Body Parameters Invalid");
  });

  it.each([
    [{ currentPassword: "wrong" }, 403, "Password Incorrect"],
    [{ currentPassword: undefined }, 400, "Body Parameters Missing"],
    [{ email: "nobody" }, 400, "Email Invalid"],
    [{ email: "other@example.com", password: "short" }, 400, "Password Too Weak"],
    [{ password: "aaaaaaaaaaaa" }, 400, "Password Too Weak"],
    [{ password: "qwertyuiop" }, 400, "Password Too Weak"],
    [{ verified: true }, 400, "Body Parameters Invalid"],
  ])("refuses the change %j with %i %s", async (change, status, title) => {
    expect((await put(home, change)).body).toMatchObject({ status, title });
  });

  it("with a new password keeps the log-in that set it, ends the others, and says so by mail", async () => {
    const of = await verifiedHome();
    const other = await logIn(of);
    await cloud.good("GET", "/api/account", { token: other });
    expect((await put(of, { password: "another good one" })).status).toBe(200);
    expect((await cloud.call("GET", "/api/account", { token: other })).body.title).toBe("Token Invalid");
    await shown(of);
    expect((await put(of, { name: "x" })).body.title).toBe("Password Incorrect");
    expect((await emailTo(cloud.folder, of.email, 2)).subject).toBe("Your password was changed");
  });

  it("with a new address verifies it anew, notifies the old one, and takes no code of the old one", async () => {
    const of = await verifiedHome();
    await post("/password-reset", { email: of.email });
    const { code } = await emailTo(cloud.folder, of.email, 2);
    const email = `moved-${of.email}`;
    expect((await put(of, { email })).status).toBe(200);
    expect(await shown(of)).toMatchObject({ email, emailVerified: false });
    expect((await emailTo(cloud.folder, of.email, 3)).subject).toBe("Your e-mail address was changed");
    expect((await emailTo(cloud.folder, email)).subject).toBe("Verify your e-mail address");
    const confirmed = await post("/password-reset/confirm", { code, password: "another good one" });
    expect(confirmed.body.title).toBe("Reset Code Invalid");
  });

  it("cannot take the address of another, in any spelling", async () => {
    const other = await cloud.home();
    expect((await put(home, { email: other.email.toUpperCase() })).body.title).toBe("Email Exists");
  });

  it("whose address is not verified is sent another code when it gives the address again", async () => {
    const of = await cloud.home();
    await emailTo(cloud.folder, of.email);
    expect((await put(of, { email: of.email })).status).toBe(200);
    const { code } = await emailTo(cloud.folder, of.email, 2);
    expect((await post("/verify", { code })).status).toBe(200);
  });

  it("whose address is not verified gets no mail but codes", async () => {
    const of = await cloud.home();
    await emailTo(cloud.folder, of.email);
    await put(of, { password: "another good one" });
    await put({ ...of, password: "another good one" }, { email: of.email });
    await emailTo(cloud.folder, of.email, 2);
    expect(emailsTo(cloud.folder, of.email).map(({ subject }) => subject)).toEqual([
      "Verify your e-mail address",
      "Verify your e-mail address",
    ]);
  });
});
