/** Where no device is yet: how the first one comes. */
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { CodeBlock } from "../kit/display/id.tsx";
import { Empty } from "../kit/display/query-view.tsx";
import { SIMULATED_DEVICES, simulatedHub } from "../kit/text/simulated-home.ts";
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
        Devices come with the hub that they are connected to, a moment after it is paired. Without hardware, let a
        simulated home in, with a colour lamp, a thermostat, a button and more. In a checkout of Porchlight, these are
        its devices:
      </Empty>
      <CodeBlock code={SIMULATED_DEVICES} label="line that starts the simulator" />
      <p className={classes.then}>And in a second terminal its hub, which shows its code and waits for you:</p>
      <CodeBlock code={simulatedHub(location.origin)} label="line that starts a hub" />
    </div>
  );
}
