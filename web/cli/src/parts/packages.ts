import type { PrivateMomentsError } from 'private-moments';

/**
 * The error that says how to install the package of a command, if that package is what was not found, and
 * not a file in it or a package that it depends on.
 * @param version of this package; the packages of its commands have the same
 */
export async function missingPackage(
  command: string,
  packageName: string,
  version: string,
  cause: unknown,
): Promise<PrivateMomentsError | undefined> {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const isMissing =
    code === 'ERR_MODULE_NOT_FOUND' && String(message).includes(`package '${packageName}'`);
  if (!isMissing) return undefined;
  const { PrivateMomentsError } = await import('private-moments');
  return new PrivateMomentsError(
    'package-missing',
    `the command ${command} is in the package ${packageName}, which is not installed. ` +
      `Install it with\n  npm install ${packageName}@${version}`,
    {},
    cause,
  );
}
