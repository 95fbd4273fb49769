/** Texts of the errors about who is calling: accounts, passwords, tokens, access, and the pairing of hubs. */
import { type ErrorText, sampleId } from "./error-text.ts";

const JSON_BODY = ["content-type: application/json"];
const DEVICES = `GET /api/devices?environmentId=${sampleId("env")}`;
const LOG_IN_POLL = { request: "POST /api/accounts/login/code/poll", headers: JSON_BODY, body: '{"deviceCode": "…"}' };
const POLL = { request: "POST /api/pairings/poll", headers: JSON_BODY, body: '{"deviceCode": "…", "signature": "…"}' };

export const CREDENTIAL_TEXTS = {
  "Token Missing": {
    cure: "Send `authorization: Bearer TOKEN`. [The first hour](/docs/first-hour) shows how a token is made.",
    example: { request: DEVICES },
  },
  "Token Invalid": {
    why: "It was never a token, it has been revoked, what it stood for was deleted, or the request carries two. With status 400 it is something else: the token ID in the path is none of this user, server or client.",
    cure: "Check that the whole token was copied: it begins with `plt_` and has no spaces. If it was revoked, make a new one.",
    example: { request: DEVICES, headers: ["authorization: Bearer plt_usr_no"] },
  },
  "Token Expired": {
    why: "An account's token lasts 12 hours, or for good with `keepMeLoggedIn`; a user's lasts as long as was said when it was made.",
    cure: "Log in again, or let your server make the user a new token.",
    example: { request: DEVICES, headers: ["authorization: Bearer plt_acc_…"] },
  },
  "Login Failed": {
    why: "The answer does not say which of the two was wrong, so that it does not reveal who has an account.",
    cure: "Check both. A forgotten password is replaced by `POST /api/accounts/password-reset`.",
    example: {
      request: "POST /api/accounts/login",
      headers: JSON_BODY,
      body: '{"email": "ada@example.com", "password": "guess"}',
    },
  },
  "Token Type Not Allowed": {
    why: "Each route takes certain kinds of token. A user's token reaches environments and what is in them; servers and their tokens are the account's alone; a hub's token opens only its tunnel.",
    cure: "Use a token of a kind that `detail` names. Keep account and server tokens out of apps and browsers.",
    example: {
      request: "GET /api/servers",
      headers: ["authorization: Bearer plt_usr_…"],
      detail: "This route takes account tokens; the one presented is a user token.",
    },
  },
  "Access Denied": {
    cure: "Give the user access with a server or account token: `POST /api/users/:id/access` with the `environmentId`. It holds at once.",
    example: { request: DEVICES, headers: ["authorization: Bearer plt_usr_…"] },
  },
  "Password Incorrect": {
    why: "What changes or erases an account asks for its password again, with every kind of token.",
    cure: "Give the present password as `currentPassword`, or in the header `x-current-password` when there is no body.",
    example: { request: "DELETE /api/account", headers: JSON_BODY, body: '{"currentPassword": "guess"}' },
  },
  "Email Invalid": {
    cure: "Give one address, such as `ada@example.com`.",
    example: {
      request: "POST /api/accounts",
      headers: JSON_BODY,
      body: '{"email": "ada", "password": "a long sentence"}',
    },
  },
  "Email Exists": {
    why: "Upper and lower case make no difference.",
    cure: "Log in with it, or replace a forgotten password by `POST /api/accounts/password-reset`.",
    example: {
      request: "POST /api/accounts",
      headers: JSON_BODY,
      body: '{"email": "ada@example.com", "password": "a long sentence"}',
    },
  },
  "Reset Code Invalid": {
    why: "A code works once, and only for a while; a newer one replaces it.",
    cure: "Copy the code of the newest mail, or ask for another.",
    example: {
      request: "POST /api/accounts/password-reset/confirm",
      headers: JSON_BODY,
      body: '{"code": "123456", "password": "a long sentence"}',
    },
  },
  "Password Too Weak": {
    cure: "Take a sentence rather than a word: length is what counts.",
    example: {
      request: "POST /api/accounts",
      headers: JSON_BODY,
      body: '{"email": "ada@example.com", "password": "lamp"}',
    },
  },
  "Account User Required": {
    why: "Whoever has an account is registered as a user too, with access to the first environment.",
    cure: "Leave that user. It goes with the account.",
    example: { request: `DELETE /api/users/${sampleId("usr")}` },
  },
  "Pairing Pending": {
    cure: "The hub polls again after its `interval`. To go on, the owner approves it under the code that it shows.",
    example: POLL,
  },
  "Pairing Slow Down": {
    cure: "Wait 5 seconds more between polls from now on (RFC 8628).",
    example: POLL,
  },
  "Pairing Denied": {
    cure: "If that was a mistake, start the pairing again and approve it.",
    example: POLL,
  },
  "Pairing Expired": {
    cure: "Start the pairing again on the hub. It shows a new code.",
    example: POLL,
  },
  "Pairing Code Invalid": {
    cure: "Compare the code with what the hub shows. A hub that polls gets this also for a wrong signature.",
    example: { request: "GET /api/pairings/ABCD-EFGH" },
  },
  "Login Pending": {
    cure: "Poll again after `interval` seconds. To go on, a person who is logged in approves the code on the page that the program shows.",
    example: LOG_IN_POLL,
  },
  "Login Slow Down": {
    cure: "Wait 5 seconds more between polls from now on (RFC 8628).",
    example: LOG_IN_POLL,
  },
  "Login Denied": {
    cure: "If that was a mistake, start the log-in again and approve it.",
    example: LOG_IN_POLL,
  },
  "Login Expired": {
    cure: "Start the log-in again. The program shows a new code.",
    example: LOG_IN_POLL,
  },
  "Login Code Invalid": {
    why: "A code works once.",
    cure: "Compare the code with the one that the program shows, or start the log-in again.",
    example: { request: "GET /api/accounts/login/code/BCDF-GHJK" },
  },
} as const satisfies Record<string, ErrorText>;
