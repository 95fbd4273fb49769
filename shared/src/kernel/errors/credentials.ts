/** Texts of the errors about the caller: accounts, passwords, tokens, access, and the pairing of hubs. */
import { type ErrorText, sampleId } from "./devices.ts";

const JSON_BODY = ["content-type: application/json"];
const DEVICES = `GET /api/devices?environmentId=${sampleId("env")}`;
const LOG_IN_POLL = { request: "POST /api/accounts/login/code/poll", headers: JSON_BODY, body: '{"deviceCode": "…"}' };
const POLL = { request: "POST /api/pairings/poll", headers: JSON_BODY, body: '{"deviceCode": "…", "signature": "…"}' };

export const CREDENTIAL_TEXTS = {
  "Token Missing": {
    cure: "Send `authorization: Bearer TOKEN`. [The first hour](/docs/first-hour) shows how to create a token.",
    example: { request: DEVICES },
  },
  "Token Invalid": {
    why: "It was never a token, it was revoked, its owner was deleted, or the request carries two tokens. With status 400 the error is about the path instead: the token ID in it is not that of a token of this user, server or client.",
    cure: "Check that you copied the whole token: it begins with `plt_` and has no spaces. If it was revoked, create a new one.",
    example: { request: DEVICES, headers: ["authorization: Bearer plt_usr_no"] },
  },
  "Token Expired": {
    why: "An account token expires after 12 hours, or never with `keepMeLoggedIn`. The lifetime of a user token is set when it is created.",
    cure: "Log in again, or let your server create a new token for the user.",
    example: { request: DEVICES, headers: ["authorization: Bearer plt_acc_…"] },
  },
  "Login Failed": {
    why: "The answer does not say which of the two is wrong, so that nobody can find out who has an account.",
    cure: "Check both. Use `POST /api/accounts/password-reset` if the password is forgotten.",
    example: {
      request: "POST /api/accounts/login",
      headers: JSON_BODY,
      body: '{"email": "ada@example.com", "password": "guess"}',
    },
  },
  "Token Type Not Allowed": {
    why: "Each route takes certain kinds of token. A user token can use environments and what is in them. Only the account can manage servers and their tokens. A hub's token can only open its tunnel.",
    cure: "Use a token of a kind that `detail` names. Keep account and server tokens out of apps and browsers.",
    example: {
      request: "GET /api/servers",
      headers: ["authorization: Bearer plt_usr_…"],
      detail: "This route takes account tokens. The request has a user token.",
    },
  },
  "Access Denied": {
    cure: "Give the user access with a server or account token: `POST /api/users/:id/access` with the `environmentId`. It takes effect at once.",
    example: { request: DEVICES, headers: ["authorization: Bearer plt_usr_…"] },
  },
  "Password Incorrect": {
    why: "A request that changes or deletes an account must carry its password, whatever the token.",
    cure: "Send the current password as `currentPassword`, or in the header `x-current-password` if the request has no body.",
    example: { request: "DELETE /api/account", headers: JSON_BODY, body: '{"currentPassword": "guess"}' },
  },
  "Address Not Verified": {
    why: "Until the address is verified, the account may belong to someone else. It can read everything and create environments, zones and virtual devices, but no tokens, servers, webhooks and sinks, and it cannot approve hubs and log-ins.",
    cure: "Send the code from the e-mail to `POST /api/accounts/verify`. To get another code, send the address again with `PUT /api/account`.",
    example: { request: "POST /api/servers", headers: ["authorization: Bearer plt_acc_…", ...JSON_BODY], body: "{}" },
  },
  "Email Invalid": {
    cure: "Send one address, such as `ada@example.com`.",
    example: {
      request: "POST /api/accounts",
      headers: JSON_BODY,
      body: '{"email": "ada", "password": "a long sentence"}',
    },
  },
  "Email Exists": {
    why: "Addresses are compared without regard to case.",
    cure: "Log in with this address. Use `POST /api/accounts/password-reset` if the password is forgotten.",
    example: {
      request: "POST /api/accounts",
      headers: JSON_BODY,
      body: '{"email": "ada@example.com", "password": "a long sentence"}',
    },
  },
  "Reset Code Invalid": {
    why: "A code works once and expires. A newer code replaces it.",
    cure: "Copy the code from the newest e-mail, or request another one.",
    example: {
      request: "POST /api/accounts/password-reset/confirm",
      headers: JSON_BODY,
      body: '{"code": "123456", "password": "a long sentence"}',
    },
  },
  "Password Too Weak": {
    cure: "Use a sentence instead of a word: length counts most.",
    example: {
      request: "POST /api/accounts",
      headers: JSON_BODY,
      body: '{"email": "ada@example.com", "password": "lamp"}',
    },
  },
  "Account User Required": {
    why: "The owner of an account is also registered as a user, with access to the first environment.",
    cure: "Keep this user. It is deleted with the account.",
    example: { request: `DELETE /api/users/${sampleId("usr")}` },
  },
  "Pairing Pending": {
    cure: "The hub must poll again after `interval` seconds. Meanwhile the owner approves the pairing with the code that the hub shows.",
    example: POLL,
  },
  "Pairing Slow Down": {
    cure: "Wait 5 seconds longer between polls from now on (RFC 8628).",
    example: POLL,
  },
  "Pairing Denied": {
    cure: "If this was a mistake, start the pairing again and approve it.",
    example: POLL,
  },
  "Pairing Expired": {
    cure: "Start the pairing again on the hub. It shows a new code.",
    example: POLL,
  },
  "Pairing Code Invalid": {
    cure: "Compare the code with the one that the hub shows. A hub that polls also gets this error for a wrong signature.",
    example: { request: "GET /api/pairings/ABCD-EFGH" },
  },
  "Login Pending": {
    cure: "Poll again after `interval` seconds. Meanwhile a person who is logged in approves the code on the page that the program shows.",
    example: LOG_IN_POLL,
  },
  "Login Slow Down": {
    cure: "Wait 5 seconds longer between polls from now on (RFC 8628).",
    example: LOG_IN_POLL,
  },
  "Login Denied": {
    cure: "If this was a mistake, start the log-in again and approve it.",
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
