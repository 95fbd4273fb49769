/** Where no device is yet: how the first one comes. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../../../kit/id.tsx";
import { Empty } from "../../../kit/query-view.tsx";
import classes from "./no-devices.module.css";

export function NoDevices({ environmentId }: { readonly environmentId: string }) {
  return (
    <div className={classes.ways}>
      <Empty
        title="No devices yet"
        action={
          <>
            <Button renderRoot={(props) => <Link to="/pair" search={{ environment: environmentId }} {...props} />}>
              Pair a hub
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link to="/environments/$environmentId/devices/new" params={{ environmentId }} {...props} />
              )}
            >
              New virtual device
            </Button>
          </>
        }
      >
        Devices come with the hub that they are connected to, a moment after it is paired. Without hardware, start the
        simulator: its example home has a colour lamp, a thermostat, a button and more.
      </Empty>
      <CodeBlock code={SIMULATOR} label="line that starts the simulator" />
      <p className={classes.then}>
        It prints the serial ports that its devices are on. Start a hub on them, and pair it by the code that it shows:
      </p>
      <CodeBlock code={agentLine(location.origin)} label="line that starts a hub" />
    </div>
  );
}

const SIMULATOR =
  "porchlight-sim run firmware-sim/examples/home.yaml --link light=/tmp/light --link bridge=/tmp/bridge";

function agentLine(origin: string): string {
  return `porchlight-agent run --cloud ${origin} --data ~/.porchlight-agent --serial /tmp/light --serial /tmp/bridge`;
}
