/** The file is unusable, so nothing of it is imported. The message says why. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
}
