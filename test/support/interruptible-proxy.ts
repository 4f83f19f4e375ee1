import { createServer, connect, type AddressInfo, type Socket } from "node:net";

/** Starts a proxy to a service. Its connections can be cut during a request. */
export async function lossyLine({ url }: { url: string }) {
  const { port } = new URL(url);
  const open = new Set<Socket>();
  let whole = true;
  let losing = false;
  const server = createServer((near) => {
    if (!whole) return void near.resetAndDestroy();
    const far = connect(Number(port), "127.0.0.1");
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(end);
      end.on("error", () => undefined);
      end.on("close", () => {
        open.delete(end);
        other.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (answer) => {
      if (!losing) return void near.write(answer);
      losing = false;
      near.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    whole = false;
    open.forEach((socket) => socket.resetAndDestroy());
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    /** Cuts the connection before the next response. */
    loseAnswer: () => void (losing = true),
    mend: () => void (whole = true),
    close() {
      cut();
      server.close();
    },
  };
}
