// Sessions without a network: new ones, and the messages between their roles.

/** @returns a session of the study, the keys of its collector, and in mode `split` those of its helper */
export async function newSession(federation, study) {
  const isSplit = study.federation.mode === 'split';
  const own = await federation.newRoleKeys('25519');
  const helping = isSplit ? await federation.newRoleKeys('25519') : null;
  const keys = { collector: own, ...(isSplit ? { helper: helping } : {}) };
  return { session: federation.createSession(study, keys), own, helping };
}

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
