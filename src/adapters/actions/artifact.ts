import { DefaultArtifactClient } from '@actions/artifact';

export async function uploadFolder(name: string, files: string[], root: string): Promise<{ id: number } | null> {
  const { id } = await new DefaultArtifactClient().uploadArtifact(name, files, root);
  return id === undefined ? null : { id };
}
