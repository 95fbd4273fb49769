/** A secret that is shown once: with a copy button, and unrecoverable after it is dismissed. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { CodeBlock } from "./id.tsx";
import classes from "./secret.module.css";

/** @param label the kind of secret: "token" */
export function SecretOnce(props: { readonly label: string; readonly value: string; readonly onPutAway: () => void }) {
  return (
    <Alert
      color="amber"
      variant="light"
      title={`This ${props.label} is shown once`}
      classNames={{ body: classes.body ?? "" }}
    >
      <Text size="sm" mb="xs">
        Copy it now and store it safely. You cannot see it again, but you can create a new one.
      </Text>
      <CodeBlock code={props.value} label={props.label} />
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={props.onPutAway}>
          I've saved it
        </Button>
      </Group>
    </Alert>
  );
}
