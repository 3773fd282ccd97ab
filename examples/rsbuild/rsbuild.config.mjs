export default {
  // Workers look for their files from their own address, so it must not be an absolute path.
  output: { assetPrefix: 'auto' },
  dev: { assetPrefix: 'auto' },
};
