import net from "node:net";
import type { RawBehaviour, RawConnection } from "./raw-server";

export const tunnelOpened = "HTTP/1.1 200 Connection established\r\n\r\n";

/** A proxy that opens a tunnel to this port of this machine, whatever host CONNECT names, and then does `meanwhile`. */
export function tunnelTo(
  port: number,
  meanwhile: (connection: RawConnection, service: net.Socket) => void = () => undefined,
): RawBehaviour {
  return {
    onRequest: (connection) => {
      const { socket } = connection;
      const service = net.connect(port, "127.0.0.1").on("error", () => socket.destroy());
      socket.removeAllListeners("data");
      socket.on("close", () => service.destroy());
      service.on("close", () => socket.destroy());
      if (socket.writable) socket.write(tunnelOpened);
      socket.pipe(service).pipe(socket);
      meanwhile(connection, service);
    },
  };
}
