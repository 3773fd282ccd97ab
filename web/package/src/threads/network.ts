/**
 * What a worker can send with, start another worker with, or leave something behind with. Workers need none of it
 * once they are loaded, so it is removed before rows come in.
 */
export const SENDING = [
  ...['fetch', 'XMLHttpRequest', 'WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource'],
  ...['RTCPeerConnection', 'RTCDataChannel', 'TCPSocket', 'UDPSocket', 'importScripts'],
  // They request the address of a font or an icon.
  ...['FontFace', 'fonts', 'Notification'],
  // A worker that this one starts has all of this again.
  ...['Worker', 'SharedWorker'],
  // Not the network, but other pages of the site, now or later.
  ...['BroadcastChannel', 'caches', 'indexedDB'],
  ...['webkitRequestFileSystem', 'webkitRequestFileSystemSync'],
];

/** The same, of `navigator`. */
export const SENDING_OF_NAVIGATOR = [
  ...['sendBeacon', 'serviceWorker', 'storage', 'storageBuckets', 'usb', 'hid', 'serial'],
];

/** Removes all of it from this worker: from the global object and from what that inherits from. */
export function closeNetwork(): void {
  const { navigator } = globalThis as { navigator?: object };
  remove(globalThis, SENDING);
  if (navigator !== undefined) remove(navigator, SENDING_OF_NAVIGATOR);
}

function remove(target: object, names: readonly string[]): void {
  for (let owner: object | null = target; owner; owner = Reflect.getPrototypeOf(owner)) {
    for (const name of names) Reflect.deleteProperty(owner, name);
  }
}
