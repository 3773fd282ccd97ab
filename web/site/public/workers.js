// Narrows the policy above before any other script runs: a worker started from an address on this site
// escapes the page's policy, so only the service worker may be. The rule needs an address with its host,
// which the static page does not contain.
{
  const { src } = document.currentScript;
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = `worker-src blob: ${new URL('sw.js', src).href}`;
  document.head.append(policy);
}
