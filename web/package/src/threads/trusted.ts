/** Addresses of scripts for pages whose policy requires trusted types. */

interface Policy {
  createScriptURL(address: string): unknown;
}

/** A page has at most one policy of a name, and may hold this file several times. */
const KEY = 'privateMomentsTrusted';

/**
 * The address of a blob with a script, in the form that `new Worker` takes. Only scripts of this page can have made the
 * blob.
 */
export function trustedBlob(address: string): string {
  const shared = globalThis as { [KEY]?: Policy };
  const trust = (shared[KEY] ??= policy());
  return trust.createScriptURL(address) as string;
}

function policy(): Policy {
  const rules = {
    createScriptURL: (address: string): string => {
      if (!address.startsWith('blob:')) throw new TypeError('not a blob');
      return address;
    },
  };
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, own: typeof rules): Policy };
  };
  try {
    return trustedTypes === undefined ? rules : trustedTypes.createPolicy('private-moments', rules);
  } catch {
    // The page's policy does not name this one. It matters only if it requires trusted types as well.
    return rules;
  }
}
