# Written by the command release, which fills in the version, the addresses and the sums.
class Callwright < Formula
  desc "Reliable tool calls on every language model: gateway and command-line"
  homepage "@HOMEPAGE@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@URL_DARWIN_ARM64@"
      sha256 "@SHA256_DARWIN_ARM64@"
    end
    on_intel do
      url "@URL_DARWIN_AMD64@"
      sha256 "@SHA256_DARWIN_AMD64@"
    end
  end

  on_linux do
    on_arm do
      url "@URL_LINUX_ARM64@"
      sha256 "@SHA256_LINUX_ARM64@"
    end
    on_intel do
      url "@URL_LINUX_AMD64@"
      sha256 "@SHA256_LINUX_AMD64@"
    end
  end

  def install
    bin.install "callwright"
    man1.install "callwright.1"
    bash_completion.install "completions/callwright.bash" => "callwright"
    zsh_completion.install "completions/_callwright"
    fish_completion.install "completions/callwright.fish"
    doc.install "LICENSE", "THIRD-PARTY-LICENSES"
  end

  def post_install
    (var/"callwright").mkpath
  end

  service do
    run [opt_bin/"callwright", "serve"]
    keep_alive true
    working_dir var/"callwright"
    log_path var/"log/callwright.log"
    error_log_path var/"log/callwright.log"
  end

  test do
    assert_match "callwright v#{version}", shell_output("#{bin}/callwright version")
  end
end
