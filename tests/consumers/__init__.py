# SPDX-License-Identifier: Apache-2.0

"""Other people's software that drives stacks, each as it was released."""
