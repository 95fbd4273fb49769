// What `npm start` prints: one line of JSON for programs, or a page that a person can paste from.

/** The one line of `--json`. */
export function jsonLine(facts) {
  return JSON.stringify(facts);
}

/** The page for a person. */
export function page(facts) {
  const { apiUrl, environmentId, userToken } = facts;
  const lamp = facts.devices.find((device) => device.alias === "lamp") ?? facts.devices[0];
  const width = Math.max(...facts.devices.map((device) => device.alias.length)) + 2;
  const auth = `-H 'authorization: Bearer ${userToken}'`;
  const json = "-H 'content-type: application/json'";
  return `
Porchlight is running: a cloud, a hub, and ${facts.devices.length} simulated devices.

  open         ${apiUrl}/
  account      ${facts.email}   password ${facts.password}
  account id   ${facts.accountId}
  API          ${apiUrl}/api
  environment  ${environmentId}
  hub          ${facts.hub.clientId}   ${facts.hub.edgeId}

${facts.devices.map((device) => `  ${device.alias.padEnd(width)}${device.id}   ${device.edgeId}   ${device.link}`).join("\n")}

Paste these:

  # every device
  curl -s ${auth} '${apiUrl}/api/devices?environmentId=${environmentId}'

  # turn the lamp green; the answer is what the lamp says it now is
  curl -s -X PUT ${auth} ${json} -d '{"value": 120}' '${apiUrl}/api/devices/${environmentId};${lamp.alias}/services/LightColor.hue'

  # the hue of every light at home, read from the hardware
  curl -s ${auth} '${apiUrl}/api/environments/${environmentId}/services/LightColor.hue?refresh=true'

The same from a terminal: log in once, with the password above.

  npx porchlight login --api-url ${apiUrl} --email ${facts.email}
  npx porchlight set ${lamp.alias} LightColor.hue 240
  npx porchlight watch

What a dead hub looks like: kill ${facts.pids.agent}, then set the lamp again. Ctrl-C stops everything.
`;
}
