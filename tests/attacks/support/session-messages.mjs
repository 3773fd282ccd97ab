// The messages between the roles of a session, without a network.

/**
 * @param names gives the names of all roles, of whom `all` in a message means those that did not send it
 * @returns `send` takes what a role sends; `deliver` gives each message to its recipient, until there are no more
 */
export function sessionMessages(names) {
  const queue = [];
  return {
    send(from, outgoing) {
      for (const { to, message } of outgoing) {
        const recipients = to === 'all' ? names().filter((name) => name !== from) : [to];
        queue.push(...recipients.map((name) => ({ name, message })));
      }
    },
    /** @param receive called with the recipient's name and the message; may send */
    async deliver(receive) {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        await receive(next.name, next.message);
      }
    },
  };
}
