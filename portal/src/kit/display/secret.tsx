/** Secrets on a page: those that are shown once, and those that are masked and fetched only on the user's request. */
import { Alert, Button, Group, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { Failure } from "./failure.tsx";
import { CodeBlock, Copy } from "./id.tsx";
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

/** @param start prefix of such secrets: `plt_srv_` @param load fetches the secret @param label the kind of secret: "token" */
export function Masked({
  start,
  load,
  label,
}: {
  readonly start: string;
  readonly load: () => Promise<string>;
  readonly label: string;
}) {
  const { data: value, error, isPending, mutate, reset } = useMutation({ mutationFn: load, gcTime: 0 });
  const isShown = value !== undefined;
  return (
    <span className={classes.masked} data-shown={isShown}>
      <code className="mono">{value ?? `${start}…`}</code>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        aria-label={`${isShown ? "Hide" : "Show"} ${label}`}
        loading={isPending}
        onClick={() => (isShown ? reset() : mutate())}
      >
        {isShown ? "Hide" : "Show"}
      </Button>
      {value !== undefined && <Copy value={value} label={label} />}
      {error && <Failure error={error} />}
    </span>
  );
}
